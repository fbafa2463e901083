// os.time and os.date (Lua 5.4 manual §6.9).
#pragma once

#include "vm/native.h"

namespace mangata {

Result<int> os_date(Call& call);
Result<int> os_time(Call& call);
Result<int> os_difftime(Call& call);

}  // namespace mangata
