// Who references what: one description, used by the marker and by the verifier.
//
// Tables, threads and everything weak have their own rules in the marker (mark.cpp, weak.cpp); what is here
// is strong.
#pragma once

#include "vm/bytecode/proto.h"
#include "vm/object/function.h"
#include "vm/object/hash_part.h"
#include "vm/object/shape.h"
#include "vm/object/table.h"
#include "vm/object/thread.h"
#include "vm/object/userdata.h"

namespace mangata {

/// Visitor: object(Object*) (never null) and value(const Value&).
template <typename Visitor>
void visit_optional(Object* object, Visitor&& visitor) {
  if (object != nullptr) visitor.object(object);
}

/// What a table references besides its elements, property values and hash nodes, weak or not.
template <typename Visitor>
void visit_table_storage(Table* table, Visitor&& visitor) {
  visitor.object(table->shape);
  visit_optional(table->instance_shape, visitor);
  visit_optional(table->own_metatable, visitor);
  visit_optional(table_slots_storage(table), visitor);
  visit_optional(table_elements_storage(table), visitor);
  visit_optional(table->hash, visitor);
}

template <typename Visitor>
void visit_table_properties(Table* table, Visitor&& visitor) {
  const uint32_t count = table->shape->slot_count;
  for (uint32_t i = 0; i < count; ++i) visitor.value(table->slots[i]);
}

template <typename Visitor>
void visit_table_nodes(Table* table, Visitor&& visitor) {
  if (table->hash == nullptr) return;
  const uint32_t count = table->hash->node_count();
  for (uint32_t i = 0; i < count; ++i) {
    HashNode& node = table->hash->nodes[i];
    if (node.value.is_nil()) {
      node.let_go();
      continue;
    }
    visitor.value(node.key());
    visitor.value(node.value);
  }
}

template <typename Visitor>
void visit_proto(Proto* proto, Visitor&& visitor) {
  for (const Value& constant : proto->constants) visitor.value(constant);
  for (Proto* nested : proto->nested) visit_optional(nested, visitor);
  for (const UpvalueDescription& upvalue : proto->upvalues) visit_optional(upvalue.name, visitor);
  for (const LocalVariable& local : proto->locals) visit_optional(local.name, visitor);
  for (Object* object : proto->pinned) visitor.object(object);
  visit_optional(proto->source, visitor);
}

template <typename Visitor>
void visit_thread(Thread* thread, Visitor&& visitor) {
  for (const Value* slot = thread->stack; slot < thread->top; ++slot) {
    // Half a frame header has Tag::Frame in the low half of its tag word and something else in the high half.
    if (static_cast<uint32_t>(slot->tag) >= static_cast<uint32_t>(kFirstCollectableTag)) visitor.value(*slot);
  }
  for (Upvalue* upvalue = thread->open_upvalues; upvalue != nullptr; upvalue = upvalue->next_open) {
    visitor.object(upvalue);
  }
  visit_optional(thread->resumer, visitor);
  visitor.value(thread->hook_function);
}

/// Everything but tables. Returns how many references there are, roughly.
template <typename Visitor>
ptrdiff_t visit_references(Object* object, Visitor&& visitor) {
  switch (object->type) {
    case ObjectType::LuaFunction: {
      auto* function = static_cast<LuaFunction*>(object);
      visitor.object(function->proto);
      for (uint32_t i = 0; i < function->upvalue_count(); ++i) visit_optional(function->upvalues[i], visitor);
      return 1 + function->upvalue_count();
    }
    case ObjectType::NativeFunction: {
      auto* function = static_cast<NativeFunction*>(object);
      for (uint32_t i = 0; i < function->upvalue_count(); ++i) visitor.value(function->upvalues[i]);
      return 1 + function->upvalue_count();
    }
    case ObjectType::Userdata: {
      auto* userdata = static_cast<Userdata*>(object);
      visit_optional(userdata->metatable, visitor);
      for (uint32_t i = 0; i < userdata->type_word; ++i) visitor.value(userdata->user_values[i]);
      return 1 + userdata->type_word;
    }
    case ObjectType::Upvalue:
      visitor.value(*static_cast<Upvalue*>(object)->location);
      return 1;
    case ObjectType::Thread: {
      auto* thread = static_cast<Thread*>(object);
      visit_thread(thread, visitor);
      return 1 + (thread->top - thread->stack);
    }
    case ObjectType::Proto: {
      auto* proto = static_cast<Proto*>(object);
      visit_proto(proto, visitor);
      return static_cast<ptrdiff_t>(1 + proto->constants.size() + proto->nested.size() +
                                    proto->locals.size());
    }
    case ObjectType::Shape: {
      auto* shape = static_cast<Shape*>(object);
      visit_optional(shape->parent, visitor);
      visit_optional(shape->key, visitor);
      visitor.object(shape->root);
      return 3;
    }
    default:
      return 1;  // strings and storage
  }
}

}  // namespace mangata
