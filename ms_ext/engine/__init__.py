"""The machinery: source -> graph -> passes -> backend -> stages. Made to be read, lowest layer first."""
