#include "profiler/loaded_texts.h"

#include "profiler/source_lines.h"

namespace mangata {

void LoadedTexts::loaded(std::string_view text, std::string_view chunk_name) {
  const bool is_named = chunk_name.starts_with('@') || chunk_name.starts_with('=');
  if (!is_named && chunk_name == text) return;
  const auto found = chunks_.find(chunk_name);
  if (found != chunks_.end()) {
    ChunkText& known = found->second;
    if (known.length == text.size() && known.hash == text_hash(text)) return;
    known.is_ambiguous = true;
    if (known.text) kept_bytes_ -= known.text->size();
    known.text.reset();
    return;
  }
  if (chunks_.size() >= kMostChunks) return;
  ChunkText chunk{.source = std::string(chunk_name), .length = text.size(), .hash = text_hash(text), .text = {}};
  const bool is_in_file = chunk_name.starts_with('@') && source_of_file(std::string(chunk_name.substr(1))) == text;
  if (!is_in_file && text.size() <= kLongestKept && kept_bytes_ + text.size() <= kMostKeptBytes) {
    chunk.text = text;
    kept_bytes_ += text.size();
  }
  chunks_.emplace(chunk_name, std::move(chunk));
}

std::vector<ChunkText> LoadedTexts::of(const std::set<std::string_view>& names) const {
  std::vector<ChunkText> texts;
  for (const std::string_view name : names) {
    const auto found = chunks_.find(name);
    if (found != chunks_.end()) texts.push_back(found->second);
  }
  return texts;
}

}  // namespace mangata
