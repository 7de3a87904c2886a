"""The files of the sentence encoder that Satchel carries: paths and identities, nothing that runs.

`minilm.onnx`     encoder: int64 input_ids, attention_mask [batch, tokens] -> float32
                  last_hidden_state [batch, tokens, 384]; mean over the tokens, then unit length
`minilm.index`    where each of its arrays begins: JSON, name -> type, shape, byte
`tokenizer.json`  its tokenizer, for the package `tokenizers`; no padding, no truncation
`vocab.txt`       the vocabulary by id
`static.words`    the words of the static table, sorted by their bytes, one a line
`static.i16`      their rows in the same order, 384 little-endian int16 each, weights included
`static.id`       the identity of that table: it names the build
`manifest.json`   hashes, versions, accuracy

Imports no module, because cold commands import it.
"""

#: Model, form, revision of the recipe, and the first digits of the checkpoint's SHA-256.
MODEL = "all-MiniLM-L6-v2-int8/1@53aa5117"
DIMENSIONS = 384
#: Tokens that the encoder was trained to read, [CLS] and [SEP] included.
MAX_TOKENS = 256

_FOLDER = __file__.rpartition("/")[0]


def path(name: str) -> str:
    """Return the path of one of the files named above."""
    return f"{_FOLDER}/{name}"
