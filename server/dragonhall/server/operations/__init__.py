"""What can be done to a game: each operation checks its rules and says what to write.

They run inside the game's single writer (`LiveGame.carry_out`), on its newest state, and change nothing themselves.
"""
