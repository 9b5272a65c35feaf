"""What does a panel say, and how is it shown? Page, text and widget are made from one report."""
