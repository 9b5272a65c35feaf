"""What does a learner use? ``check``, ``hint``, the magic and the button, and where they look."""
