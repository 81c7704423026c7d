"""The analyser in plain Python, rule by rule: what the compiled one is held to."""
