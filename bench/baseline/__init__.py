"""The whole search again, in pure Python: the oracle of the tests and the baseline of the speed reports.

Written from the rules of coldseek's search alone. It shares no code with the product and needs only the
standard library (the analyser twin also needs PyStemmer).
"""
