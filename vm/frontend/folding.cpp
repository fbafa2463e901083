// Constant folding.
#include <cmath>

#include "vm/frontend/code_generator.h"

namespace mangata {

/// Divisions by zero stay for run time: the integer ones raise errors. Results that are NaN or a float zero
/// stay as well, as 0.0 and -0.0 print differently but compare equal.
bool fold(ArithmeticOperator op, Expression& e1, const Expression& e2) {
  if (!e1.is_numeral() || !e2.is_numeral()) return false;
  const bool divides =
      op == ArithmeticOperator::Div || op == ArithmeticOperator::FloorDiv || op == ArithmeticOperator::Mod;
  if (divides && e2.constant_value().as_number() == 0) return false;
  Value result = Value::nil();
  if (!raw_arithmetic(op, e1.constant_value(), e2.constant_value(), &result)) return false;
  if (result.is_integer()) {
    e1 = Expression::of_integer(result.as_integer());
    return true;
  }
  const double number = result.as_float();
  if (std::isnan(number) || number == 0) return false;
  e1 = Expression::of_float(number);
  return true;
}

}  // namespace mangata
