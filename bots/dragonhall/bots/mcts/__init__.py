"""The MCTS bot: information-set Monte Carlo tree search for every game.

In reading order: `problem` (what a search needs to know of a game), `tree` and `search`, `budget`, `think` and
`thoughts` (a decision, and what was found out), `pondering` (while others are asked), `policy` (the bot). Each game has
a folder with its own problem.
"""
