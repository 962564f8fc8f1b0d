-- Integers that a number can be.
return { maxdouble = 2 ^ 53, mindouble = -2 ^ 53 }
