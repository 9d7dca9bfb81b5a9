// SPDX-FileCopyrightText: Copyright (c) 2026 The mgpu authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The numbers that the published demonstrations of expanding and moving intervals print.

#include <mgpu/base/math.h>

#include <vector>

namespace test {
namespace interval_demo {

// Expand: counts, their scan, values, the result, and each item's interval.
inline const std::vector<int> expand_counts{
    2, 5, 7, 16, 0, 1, 0, 0, 14, 10, 3, 14, 2, 1, 11, 2, 1, 0, 5, 6,
};

inline const std::vector<mgpu::offset> expand_offsets{
    0, 2, 7, 14, 30, 30, 31, 31, 31, 45, 55, 58, 72, 74, 75, 86, 88, 89, 89, 94,
};

inline const std::vector<int> expand_values{
    1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765,
};

inline const std::vector<int> expanded{
    1,   1,   1,   1,   1,   1,   1,   2,   2,    2,    2,    2,    2,    2,    3,    3,    3,    3,    3,    3,
    3,   3,   3,   3,   3,   3,   3,   3,   3,    3,    8,    34,   34,   34,   34,   34,   34,   34,   34,   34,
    34,  34,  34,  34,  34,  55,  55,  55,  55,   55,   55,   55,   55,   55,   55,   89,   89,   89,   144,  144,
    144, 144, 144, 144, 144, 144, 144, 144, 144,  144,  144,  144,  233,  233,  377,  610,  610,  610,  610,  610,
    610, 610, 610, 610, 610, 610, 987, 987, 1597, 4181, 4181, 4181, 4181, 4181, 6765, 6765, 6765, 6765, 6765, 6765,
};

inline const std::vector<int> searched{
    0,  0,  1,  1,  1,  1,  1,  2,  2,  2,  2,  2,  2,  2,  3,  3,  3,  3,  3,  3,  3,  3,  3,  3,  3,
    3,  3,  3,  3,  3,  5,  8,  8,  8,  8,  8,  8,  8,  8,  8,  8,  8,  8,  8,  8,  9,  9,  9,  9,  9,
    9,  9,  9,  9,  9,  10, 10, 10, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 11, 12, 12, 13,
    14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 14, 15, 15, 16, 18, 18, 18, 18, 18, 19, 19, 19, 19, 19, 19,
};

// Move: counts, their scan, where intervals come from and where they go, and the result for the numbers 0, 1, 2, ...
inline const std::vector<int> move_counts{
    3, 9, 1, 9, 8, 5, 10, 2, 5, 2, 8, 6, 5, 2, 4, 0, 8, 2, 5, 6,
};

inline const std::vector<mgpu::offset> move_offsets{
    0, 3, 12, 13, 22, 30, 35, 45, 47, 52, 54, 62, 68, 73, 75, 79, 79, 87, 89, 94,
};

inline const std::vector<int> move_gather{
    75, 86, 17, 2, 67, 24, 37, 11, 95, 35, 52, 18, 47, 0, 13, 75, 78, 60, 62, 29,
};

inline const std::vector<int> move_scatter{
    10, 80, 99, 27, 41, 71, 15, 0, 36, 13, 89, 49, 66, 97, 76, 76, 2, 25, 61, 55,
};

inline const std::vector<int> moved{
    11, 12, 78, 79, 80, 81, 82, 83, 84, 85, 75, 76, 77, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46,
    60, 61, 2,  3,  4,  5,  6,  7,  8,  9,  10, 95, 96, 97, 98, 99, 67, 68, 69, 70, 71, 72, 73, 74, 18,
    19, 20, 21, 22, 23, 29, 30, 31, 32, 33, 34, 62, 63, 64, 65, 66, 47, 48, 49, 50, 51, 24, 25, 26, 27,
    28, 13, 14, 15, 16, 86, 87, 88, 89, 90, 91, 92, 93, 94, 52, 53, 54, 55, 56, 57, 58, 59, 0,  1,  17,
};

}  // namespace interval_demo
}  // namespace test
