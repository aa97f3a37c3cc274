# SPDX-License-Identifier: MIT
"""The models that answer now, and the watch that loads, reloads and retires them as their folder changes."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import kserve

from .errors import ServeError, Status, shown
from .folder import Fingerprint, Place, StableFolder, fingerprint
from .load_errors import why_not_loaded
from .metrics import MODEL_LOADS
from .served_model import ServedModel, load_in_thread

_log = logging.getLogger("kserve.kuiper_infer")


class Repository(kserve.ModelRepository):
    """KServe's register of models, with versions: `NAME` is the highest that answers, `NAME/VERSION` a certain one.

    `cores`: the workers of models whose `config.toml` tells no number.
    """

    def __init__(self, root: Path, cores: int) -> None:
        super().__init__(str(root))
        self.root = root
        self.cores = cores
        # Versions in the folder that could not be loaded, and what clients are told of them.
        self.failures: dict[Place, str] = {}
        self.settled = False  # everything that the folder held at the start has been loaded, or has failed to
        self._served: dict[Place, ServedModel] = {}
        self._of_key: dict[str, ServedModel] = {}
        self._retiring: set[asyncio.Task[None]] = set()

    @property
    def served(self) -> dict[Place, ServedModel]:
        """The versions that answer."""
        return dict(self._served)

    def versions(self, name: str) -> list[int]:
        """The versions of a model that answer, ascending."""
        return sorted(place.version for place in self._served if place.name == name)

    def find(self, name: str, version: str | None = None) -> ServedModel:
        """Returns a model's version, by default the highest. Raises a ServeError that says why nothing answers."""
        key = f"{name}/{version}" if version else name
        model = None if "/" in name else self.get_model(key)
        if model is not None:
            return model
        for place, reason in sorted(self.failures.items()):
            if place.name == name and version in (None, "", str(place.version)):
                raise ServeError(Status.UNAVAILABLE, f"model {shown(key)} could not be loaded: {reason}")
        if not self.settled:
            raise ServeError(Status.UNAVAILABLE, f"model {shown(key)} is not there yet: the models are being loaded")
        raise ServeError(Status.NOT_FOUND, f"there is no model {shown(key)}")

    def get_model(self, name: str) -> ServedModel | None:
        """Returns the model of a key, `NAME` or `NAME/VERSION`."""
        return self._of_key.get(name)

    def get_models(self) -> dict[str, ServedModel]:
        """The models by name, each as its highest version."""
        return {place.name: self._served[place] for place in sorted(self._served)}

    def put(self, place: Place, model: ServedModel) -> None:
        """Lets a version answer from now on. The version in its place finishes the requests that it accepted."""
        old = self._served.get(place)
        self._served[place] = model
        self._note_keys()
        model.start()
        if old is not None:
            self._retire(old)

    def remove(self, place: Place) -> None:
        """Lets a version answer no more; it finishes the requests that it accepted."""
        model = self._served.pop(place)
        self._note_keys()
        model.forget_metrics()
        self._retire(model)

    async def close(self) -> None:
        """Retires all models and waits until everything accepted is answered."""
        for place in list(self._served):
            self.remove(place)
        await asyncio.gather(*self._retiring)

    def _note_keys(self) -> None:
        ascending = sorted(self._served.items(), key=lambda entry: entry[0])
        self._of_key = {place.name: model for place, model in ascending}
        self._of_key |= {f"{place.name}/{place.version}": model for place, model in ascending}

    def _retire(self, model: ServedModel) -> None:
        task = asyncio.create_task(model.close(), name=f"retire {model.place}")
        self._retiring.add(task)
        task.add_done_callback(self._retiring.discard)


class Watch:
    """Keeps a repository as its folder is, by looking at it every `seconds`."""

    def __init__(self, repository: Repository, seconds: float) -> None:
        self._repository = repository
        self._seconds = seconds
        self._folder = StableFolder(repository.root)
        self._tried: dict[Place, Fingerprint] = {}
        self._found: set[Place] = set()

    async def run(self) -> None:
        """Watches until it is cancelled."""
        await self._look()
        await asyncio.sleep(min(self._seconds, 0.2))
        while True:
            if await self._look():
                self._repository.settled = True
            await asyncio.sleep(self._seconds)

    @property
    def names(self) -> set[str]:
        """The names of all models that the folder held when it was looked at last."""
        return {place.name for place in self._tried}

    @property
    def loading(self) -> set[Place]:
        """The versions that were found and have not been tried yet."""
        return self._found - self._tried.keys()

    async def _look(self) -> bool:
        try:
            states = await asyncio.to_thread(self._folder.update)
        except OSError as error:
            _log.error("the folder of models can't be read: %s", error)
            return False
        self._found = set(states)
        for place in self._tried.keys() - states.keys():
            del self._tried[place]
            self._repository.failures.pop(place, None)
            if place in self._repository.served:
                _log.info("%s/%d is retired", place.name, place.version)
                self._repository.remove(place)
        for place, state in sorted(states.items()):
            if self._tried.get(place) != state:
                await self._load(place, state)
        return True

    async def _load(self, place: Place, state: Fingerprint) -> None:
        repository = self._repository
        try:
            model = await load_in_thread(repository.root, place, repository.cores)
        except Exception as error:  # whatever a file holds, the other models go on
            _log.error("%s/%d could not be loaded: %s", place.name, place.version, error)
            MODEL_LOADS.labels("failure").inc()
            repository.failures[place] = why_not_loaded(error)
            self._tried[place] = state
            return
        if await asyncio.to_thread(fingerprint, place.folder(repository.root)) != state:
            await model.close()  # the files changed meanwhile; they are read again when they have settled
            return
        repository.put(place, model)
        repository.failures.pop(place, None)
        self._tried[place] = state
        MODEL_LOADS.labels("success").inc()
        _log.info("%s/%d is ready", place.name, place.version)
