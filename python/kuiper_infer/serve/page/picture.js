// SPDX-License-Identifier: MIT
// Pictures as numbers.

/** Draws a picture into a canvas of this size: `fit` is crop, pad or stretch. */
export function drawFitted(canvas, picture, width, height, fit) {
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.fillStyle = "rgb(114 114 114)"; // what detectors are trained with
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  const scales = [width / picture.width, height / picture.height];
  const scale = fit === "pad" ? Math.min(...scales) : Math.max(...scales);
  const [across, down] = fit === "stretch" ? scales : [scale, scale];
  const [drawnWidth, drawnHeight] = [picture.width * across, picture.height * down];
  context.drawImage(picture, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight);
}

/**
 * The canvas's pixels as (value / divisor - mean) / deviation, for one channel of grey or three of colours.
 * `planes`: all values of a channel lie together; else all channels of a pixel do.
 */
export function pixelsOf(canvas, channels, planes, { divisor, mean, deviation, order }) {
  const { width, height } = canvas;
  const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
  const pixels = width * height;
  const values = new Float32Array(pixels * channels);
  for (let channel = 0; channel < channels; ++channel) {
    const from = order === "BGR" ? channels - 1 - channel : channel;
    for (let pixel = 0; pixel < pixels; ++pixel) {
      const at = 4 * pixel;
      const value = channels === 1 ? 0.299 * data[at] + 0.587 * data[at + 1] + 0.114 * data[at + 2] : data[at + from];
      const to = planes ? channel * pixels + pixel : pixel * channels + channel;
      values[to] = (value / divisor - mean[channel]) / deviation[channel];
    }
  }
  return values;
}
