"""What can be asked from a shell: `./lab` and `ms-ext`, one file per command."""
