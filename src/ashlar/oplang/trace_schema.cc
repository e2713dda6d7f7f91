#include "ashlar/oplang/trace_schema.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "ashlar/core/limits.h"
#include "ashlar/oplang/trace_text.h"

namespace ashlar::inline v0::oplang {
namespace {

constexpr std::size_t kNamesShown = 12;

// Of fields that no descriptor has checked yet: their counts may be anything.
std::size_t ScalarCount(const TypeSpec& type) {
  std::size_t count = 0;
  for (const FieldSpec& field : type.fields) count += field.type.count;
  return count;
}

}  // namespace

std::optional<std::string> TraceSchema::Declare(ComponentDeclaration declaration) {
  if (numbers_.contains(declaration.name)) {
    return absl::StrCat("component ", declaration.name, " is declared twice; use another name");
  }
  if (declarations_.size() == kComponentCountMax) {
    return absl::StrCat("a world has at most ", kComponentCountMax, " components");
  }
  if (declaration.is_split && !CanBeSplit(declaration)) {
    return absl::StrCat("component ", declaration.name,
                        " cannot be split: only what is plain, and has a scalar, can be");
  }
  const std::size_t scalar_count = ScalarCount(declaration.type);
  if (scalar_count > kTraceScalarsMax - scalar_count_) {
    return absl::StrCat("the components of a trace have at most ", kTraceScalarsMax,
                        " scalars in all; with this one they have ", scalar_count_ + scalar_count);
  }
  absl::StatusOr<ComponentDescriptor> descriptor =
      ComponentDescriptor::FromSpec(declaration.name, declaration.type);
  if (!descriptor.ok()) return std::string(descriptor.status().message());

  scalar_count_ += scalar_count;
  numbers_.emplace(declaration.name, static_cast<ComponentRef>(declarations_.size()));
  descriptors_.push_back(*std::move(descriptor));
  declarations_.push_back(std::move(declaration));
  return std::nullopt;
}

std::optional<ComponentRef> TraceSchema::Find(std::string_view name) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

const ComponentDescriptor* TraceSchema::Descriptor(ComponentRef component) const {
  return component < descriptors_.size() ? &descriptors_[component] : nullptr;
}

std::string TraceSchema::NamesText() const {
  if (declarations_.empty()) return "no component is declared";
  std::string text = "declared are ";
  for (std::size_t i = 0; i < declarations_.size(); ++i) {
    if (i == kNamesShown) return absl::StrCat(text, ", ...");
    absl::StrAppend(&text, i == 0 ? "" : ", ", declarations_[i].name);
  }
  return text;
}

}  // namespace ashlar::inline v0::oplang
