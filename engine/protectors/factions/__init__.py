"""What the factions can do, a module for each thing: all work on the table while a phase is played
(section 11 of the rules).
"""
