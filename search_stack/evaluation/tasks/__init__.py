"""What is measured, a task each: ours and a baseline on the same data, figures with paired bootstrap intervals.

`aspectra evaluate NAME` shows a task: a module of `aspectra.commands.evaluate` of the same name is all it takes.
"""
