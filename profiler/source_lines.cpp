#include "profiler/source_lines.h"

#include <algorithm>
#include <cstdio>

namespace mangata {

uint64_t text_hash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return hash;
}

std::string hash_text(uint64_t hash) {
  std::string text(16, '0');
  for (size_t i = 16; i-- > 0; hash >>= 4) text[i] = "0123456789abcdef"[hash & 15];
  return text;
}

std::string source_of_file(const std::string& name) {
  std::string text;
  std::FILE* file = std::fopen(name.c_str(), "rb");
  if (file == nullptr) return text;
  char buffer[1 << 14];
  for (size_t got; (got = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, got);
  std::fclose(file);
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  if (text.starts_with('#')) text.erase(0, std::min(text.find('\n'), text.size()));
  return text;
}

void SourceLines::find_text(const std::string& chunk_name, Chunk* chunk) const {
  const ChunkText* known = nullptr;
  if (known_ != nullptr) {
    const auto found = std::find_if(known_->begin(), known_->end(), [&](const ChunkText& chunk_text) { return chunk_text.source == chunk_name; });
    if (found != known_->end()) known = &*found;
  }
  if (known != nullptr && known->is_ambiguous) {
    chunk->problem = "different texts were loaded under this name";
  } else if (known != nullptr && known->text) {
    chunk->text = *known->text;
  } else if (chunk_name.starts_with('@')) {
    chunk->text = source_of_file(chunk_name.substr(1));
    if (chunk->text.empty()) chunk->problem = "the file cannot be read";
    if (known == nullptr || (known->length == chunk->text.size() && known->hash == text_hash(chunk->text))) return;
    chunk->text.clear();
    chunk->problem = "the file does not have the text that ran";
  } else if (!chunk_name.starts_with('=')) {
    chunk->text = chunk_name;
  } else {
    chunk->problem = "its text was not kept";
  }
}

const SourceLines::Chunk& SourceLines::chunk(const std::string& chunk_name) {
  const auto [place, is_new] = chunks_.try_emplace(chunk_name);
  Chunk& chunk = place->second;
  if (!is_new) return chunk;
  find_text(chunk_name, &chunk);
  std::string_view rest = chunk.text;
  while (!rest.empty()) {
    const size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    chunk.lines.push_back(line);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return chunk;
}

std::string_view SourceLines::line(const std::string& chunk_name, int number) {
  const Chunk& known = chunk(chunk_name);
  if (number < 1 || static_cast<size_t>(number) > known.lines.size()) return {};
  return known.lines[static_cast<size_t>(number) - 1];
}

std::string_view SourceLines::problem(const std::string& chunk_name) { return chunk(chunk_name).problem; }

}  // namespace mangata
