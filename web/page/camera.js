// SPDX-License-Identifier: MIT
// A button that starts and stops the camera. While it runs, a model runs on one frame after the other.

import { button, element } from "./dom.js";

const FAILURES = {
  NotAllowedError: "The camera is not allowed. The browser's settings for this page may allow it.",
  NotFoundError: "There is no camera.",
  NotReadableError: "The camera can't be opened. Another program may be using it.",
};

/** Why the page can't even ask for a camera, or null. */
function obstacle() {
  if (navigator.mediaDevices?.getUserMedia) return null;
  return isSecureContext ? "This browser gives pages no camera." : "Browsers give the camera only to pages by https or from this machine.";
}

/** Waits for the next frame of a video or, in browsers that tell of none, until they draw the next time. */
const nextFrame = (video) => new Promise((resolve) => {
  if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(resolve);
  else requestAnimationFrame(resolve);
});

const release = (stream) => stream.getTracks().forEach((track) => track.stop());

/**
 * An element, and the function `stop`. `run(canvas)` runs the model on a frame, shows the result and gives whether there is one; the
 * canvas is another one only if the frames' size changes.
 */
export function cameraControl(run) {
  const why = obstacle();
  if (why) return { element: element("p", { class: "meta" }, why), stop() {} };
  const video = element("video", { class: "unseen", muted: true, playsInline: true, "aria-hidden": "true" });
  const told = element("span", { class: "meta", "aria-live": "polite" }, "The model runs on one frame after the other.");
  const toggle = button("Start the camera", () => (turn ? stop() : start()));
  let turn = null;  // from the click that starts to what stops: its signal releases the stream

  function stop(text = "The camera is off.") {
    if (!turn) return;
    turn.abort();
    turn = null;
    video.srcObject = null;
    toggle.textContent = "Start the camera";
    told.textContent = text;
  }

  async function start() {
    const { signal } = turn = new AbortController();
    toggle.textContent = "Stop the camera";
    told.textContent = "Waiting for the camera …";
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      if (signal.aborted) return release(stream);  // stopped while the browser asked its user
      signal.addEventListener("abort", () => release(stream));
      stream.getVideoTracks()[0].addEventListener("ended", () => stop("The camera has gone."));
      video.srcObject = stream;
      await video.play();
      told.textContent = "The camera runs. Its pictures stay in this browser.";
      await follow(signal);
    } catch (error) {
      if (!signal.aborted) stop(FAILURES[error.name] ?? `The camera can't be used: ${error.message}`);
    }
  }

  /** The next frame is taken when the result of the one before is shown, so that none wait. */
  async function follow(signal) {
    let frame = null;
    for (;;) {
      await nextFrame(video);
      if (signal.aborted) return;
      const [width, height] = [video.videoWidth, video.videoHeight];
      if (width === 0 || height === 0) continue;
      if (frame?.width !== width || frame.height !== height) frame = element("canvas", { width, height });
      frame.getContext("2d", { willReadFrequently: true }).drawImage(video, 0, 0);
      const shown = await run(frame);
      if (signal.aborted) return;
      if (!shown) stop();
    }
  }

  return { element: element("div", { class: "camera" }, toggle, told, video), stop: () => stop() };
}
