"""Protectors of the Realm for the reader by slots: its words as data, its signatures of orders, and
its judgement through the checks of the engine.
"""
