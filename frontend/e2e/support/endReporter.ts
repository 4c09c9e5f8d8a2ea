import { stripVTControlCharacters } from 'node:util';

import type { Reporter, TestCase, TestModule } from 'vitest/node';

const LINES_OF_AN_ERROR = 8;
const MAX_LINE = 220;

/**
 * Prints at the end of a run which journeys failed and which passed only on a retry, with what they waited for and what was
 * shown.
 */
export class EndReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    this.print('Journeys that passed only when tried again:', tests.filter((test) => test.diagnostic()?.flaky === true));
    this.print('Journeys that failed:', tests.filter((test) => test.result().state === 'failed'));
  }

  private print(heading: string, tests: readonly TestCase[]): void {
    if (tests.length === 0) return;
    const lines = tests.flatMap((test) => [
      `  ${test.module.relativeModuleId}: ${test.fullName}`,
      ...(test.result().errors ?? []).flatMap(({ message, stacks }) => [
        ...stripVTControlCharacters(message).split('\n').slice(0, LINES_OF_AN_ERROR),
        ...(stacks ?? []).slice(0, 1).map(({ file, line }) => `in ${file.split('/').slice(-2).join('/')}:${String(line)}`),
      ].map((line) => `    ${line.slice(0, MAX_LINE)}`)),
      ...(test.meta().evidence ?? []).map((line) => `    ${line.slice(0, MAX_LINE)}`),
    ]);
    process.stdout.write(`\n${heading}\n${lines.join('\n')}\n`);
  }
}
