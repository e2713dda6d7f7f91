#include "model/failing_resource.h"

#include <new>

namespace ashlar::model {

void FailingResource::Arm(std::uint32_t nth, bool sticky) {
  nth_ = nth;
  sticky_ = sticky;
  fired_ = false;
  request_count_ = 0;
}

void* FailingResource::do_allocate(std::size_t bytes, std::size_t alignment) {
  ++request_count_;
  const bool fails = nth_ != 0 && (sticky_ ? request_count_ >= nth_ : request_count_ == nth_);
  if (fails) {
    fired_ = true;
    throw std::bad_alloc();
  }
  return upstream_->allocate(bytes, alignment);
}

void FailingResource::do_deallocate(void* at, std::size_t bytes, std::size_t alignment) {
  upstream_->deallocate(at, bytes, alignment);
}

}  // namespace ashlar::model
