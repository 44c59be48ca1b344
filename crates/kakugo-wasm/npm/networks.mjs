// Packs networks as the native build does: bytes at even offsets before those at odd ones, then zlib.
//
//   node networks.mjs FOLDER_OF_NETWORKS OUTPUT_FOLDER

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';

const [from, to] = process.argv.slice(2);
for (const name of ['freestyle', 'standard', 'renju', 'caro']) {
  const bytes = readFileSync(join(from, `${name}.net`));
  const half = odd => bytes.filter((_, at) => at % 2 === odd);
  writeFileSync(join(to, `${name}.bin`), deflateSync(Buffer.concat([half(0), half(1)]), { level: 9 }));
}
