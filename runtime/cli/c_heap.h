// How the C library's heap of this process grows. An embedder's is the embedder's: nothing of this is in the library.
#pragma once

namespace mangata {

/// Keeps at its end what programs free and will ask for again, and has it grow by huge pages where the system gives them to those who
/// ask. Before anything large is allocated. Does nothing under another C library, or where the user has tuned this one.
void prepare_c_heap();

}  // namespace mangata
