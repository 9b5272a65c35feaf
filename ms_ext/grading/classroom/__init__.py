"""How is a whole class graded? Learners are found, each answer is judged, each gets its row."""
