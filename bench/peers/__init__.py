"""What people would pick instead of coldseek, each behind the same four calls, and the process that measures one.

`bench/beside_peers.py` runs them.
"""
