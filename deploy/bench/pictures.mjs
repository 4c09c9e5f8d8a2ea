// The files that take the most memory to decode, each as often at once as community receives uploads,
// on its decoding threads in a process of its own.
import { mkdirSync, rmSync } from 'node:fs';
import { heading, judge, output, program, required } from './harness.mjs';

/** Uploads that community receives (`pictures/upload.rs`), each of 5 MB. */
const RECEIVED_MB = 32 * 5;
/** 40 megapixels are decoded at a time (`pictures/decoding.rs`): in JPEG of four colours, two bytes a coefficient and three a pixel. */
const DECODED_MB = 40 * (4 * 2 + 3);
/** The program, and what is encoded. */
const PROGRAM_MB = 60;

export async function pictures() {
  const tool = await program('pictures');
  const folder = `${required('BENCH_RUN_DIR')}/worst-pictures`;
  mkdirSync(folder, { recursive: true });
  try {
    await output(tool, ['worst', folder]);
    heading('32 uploads at once of the worst pictures');
    const found = lines(await output(tool, ['decode', folder]));
    for (const { name, outcome, peakMb, tookMs } of found) console.log(`  ${name}: ${outcome}, ${peakMb} MB at most, ${(tookMs / 1000).toFixed(1)} s`);
    judge({ name: 'megabytes of memory for the worst', atMost: RECEIVED_MB + DECODED_MB + PROGRAM_MB }, [Math.max(...found.map(({ peakMb }) => peakMb))]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a program printed, of which each line is JSON. */
export function lines(printed) {
  return printed.trim().split('\n').map((line) => JSON.parse(line));
}
