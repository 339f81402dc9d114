"""Programs of students: their style, the functions to call, and the boards of those with names of their own."""
