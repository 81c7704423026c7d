"""What the tokeniser's numbers mean, to kernels and to their callers."""

# Kinds of token.
WORD = 0  # a plain word
PART = 1  # a part of a compound
NAME = 2  # a compound as a whole, or a segment of it
LOOSE_NAME = 3  # a compound that is mere punctuation of plain words: "server-side", "and/or"
ALIAS = 4  # a name stemmed as a plain word would be, so that both spellings meet
GRAM = 5  # one character of a script that is written without spaces
BIGRAM = 6  # two adjacent ones
STOP_TOKEN = 8  # beside the kind: a stop word

# What is to become of a text of the vocabulary: its first byte.
PLAIN = 0  # its marks are stripped
TO_STEM = 1  # it is stemmed, then its marks are stripped
TO_ALIAS = 2  # the same, and its tokens are dropped where that changes nothing
AS_IS = 3

# What `counts` holds: texts in the vocabulary, tokens written, and what there was no room for, 0 if there was.
ENTRY_COUNT, TOKEN_COUNT, ERROR = range(3)
# Beside these, where a vocabulary's texts become terms: how many texts did, and how many bytes of stems were read.
TEXTS_READ, STEMS_READ = 3, 4
VOCABULARY_COUNTS = 5
NO_ROOM_FOR_TOKENS, NO_ROOM_FOR_PIECE, NO_ROOM_FOR_ENTRIES, NO_ROOM_FOR_BYTES = -1, -2, -3, -4

# Numbers that a piece of text takes for each folded character: u32 in `piece`, i64 in `spans`.
PIECE_SECTIONS = 9
SPAN_SECTIONS = 2

# A memo of runs of text (u64): its first number, room for RUNS_AT_ONCE runs that are looked for, and records. The least
# that it may have is room for one record; LOG_SHARE is room for one of ordinary length.
RUNS_AT_ONCE = 64
FIRST_RECORD = 1 + 4 * RUNS_AT_ONCE
LONGEST_RECORD = 1 + 8 + 255
LEAST_LOG = FIRST_RECORD + LONGEST_RECORD
LOG_SHARE = 8

TERM_LIMIT = 64  # code points; a longer term is cut, in the index and in the query alike

# Normalisation starts afresh after so many code points: no real text has 30 marks on one letter (the stream-safe
# limit of Unicode Standard Annex 15), and ordering a hostile run of marks would cost its length squared.
STRETCH_LIMIT = 32
# Room for such a stretch, decomposed: 18 times as long at most, with values carried along, before and after composing.
STRETCH_ROOM = 1024
STRETCH_SCRATCH = 5 * STRETCH_ROOM  # numbers, u32

# Where a question's terms are weighed. Sections of scratch (i64), one number a distinct term: its number in the
# vocabulary, its id in the index (-1: it has none), its state, its rank by rarity, and room to order terms. Behind
# them are the counts of BUCKETS digits.
NUMBER, TERM_ID, STATE, RANK, ORDER = range(5)
SCRATCH_SECTIONS = 5
BUCKETS = 257  # the end of a term, and each byte

# Sections of the known terms that come back (i64).
STARTS, DFS, WEIGHTS = range(3)
TERM_SECTIONS = 3

# What is counted: distinct terms of the question, those left out because there were too many, known terms that only
# score, that do both, that only weigh, unknown words, and the sum of all weights.
DISTINCT, TRIMMED, ONLY_SCORED, SCORED_AND_WEIGHED, ONLY_WEIGHED, UNKNOWN_WORDS, TOTAL_WEIGHT = range(7)
QUESTION_COUNTS = 7
