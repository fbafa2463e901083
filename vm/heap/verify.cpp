// The judge of the marker, in debug builds: no marked object references a white one.
#include <cassert>

#include "vm/heap/collector.h"
#include "vm/heap/references.h"
#include "vm/vm.h"

namespace mangata {
namespace {

struct Verifier {
  const Collector& collector;
  void object(const Object* target) const {
    assert(target->type != ObjectType::Free && "a reference to storage that was freed");
    assert(collector.heap.is_marked(target) && "a marked object references a white one");
    (void)target;
  }
  void value(const Value& target) const {
    if (target.is_collectable()) object(target.as_object());
  }
};

/// Weak references were cleared before: what is left in weak tables is marked too.
void verify_object(const Collector& collector, Object* object) {
  const Verifier verifier{collector};
  if (object->type != ObjectType::Table) {
    visit_references(object, verifier);
    return;
  }
  auto* table = static_cast<Table*>(object);
  visit_table_storage(table, verifier);
  visit_table_properties(table, verifier);
  visit_table_nodes(table, verifier);
  if (table->element_kind() != ElementKind::Any) return;
  for (uint32_t i = 0; i < table->array_size(); ++i) verifier.value(table->values()[i]);
}

}  // namespace

void Collector::verify() const {
  heap.blocks_.for_each_marked([this](Object* object) { verify_object(*this, object); });
  for (LargeHeader* header : heap.large_->objects) {
    if (header->marked_epoch == heap.large_->epoch) verify_object(*this, header->object());
  }
}

}  // namespace mangata
