// Build the bundle of the explorer: one script for all pages, one for the map of the web, and one style sheet, from src/ into the package.
import { build } from "esbuild";

const out = process.argv[2] ?? "../ontocrawl/explorer/static";

await build({
  entryPoints: ["src/app.js", "src/web.js", "src/app.css"],
  outdir: out,
  bundle: true,
  minify: true,
  charset: "utf8",
  format: "esm",
  target: ["es2022"],
  legalComments: "inline",
  logLevel: "warning",
});
