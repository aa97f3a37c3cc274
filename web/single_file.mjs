// SPDX-License-Identifier: MIT
// node web/single_file.mjs FOLDER: writes FOLDER/kuiper.html, the page with all of its files in it, which needs no server.
import {execFileSync} from "node:child_process";
import {readFileSync, readdirSync, writeFileSync} from "node:fs";
import {join} from "node:path";
import {gzipSync} from "node:zlib";

const [folder] = process.argv.slice(2);
const read = (name) => readFileSync(join(folder, name));

const packed = (name) => `<script type="text/plain" data-file="${name}">${gzipSync(read(name), {level: 9}).toString("base64")}</script>\n`;
const files = ["kuiper_infer.wasm", ...readdirSync(join(folder, "examples")).map((name) => `examples/${name}`)];
const bundle = ["--bundle", "--format=esm", "--minify", "--external:node:*", "--external:../threads/*", "--log-level=warning"];
const script = execFileSync("esbuild", [join(folder, "page/page.js"), ...bundle], {encoding: "utf8", maxBuffer: 1 << 28});
const icon = `data:image/svg+xml;base64,${read("page/icon.svg").toString("base64")}`;

const page = read("index.html").toString()
  .replace(/<link rel="stylesheet" href="(.*?)">/g, (_, name) => `<style>\n${read(name)}</style>`)
  .replace(/page\/icon\.svg/g, () => icon)
  .replace(/<script type="module".*?><\/script>\n/, "")
  .replace("</body>", () => `${files.map(packed).join("")}<script type="module">\n${script}</script>\n</body>`);
writeFileSync(join(folder, "kuiper.html"), page);
