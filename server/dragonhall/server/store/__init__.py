"""Where games are kept. `base` says what a store is; `sqlite` is one."""
