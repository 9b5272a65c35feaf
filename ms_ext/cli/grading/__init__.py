"""The words of `ms-ext grade`: each file here that defines `main(arguments)` is one."""
