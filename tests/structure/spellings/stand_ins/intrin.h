// The compiler has the functions without a header.
