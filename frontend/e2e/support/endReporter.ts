import { stripVTControlCharacters } from 'node:util';

import type { Reporter, TestCase, TestModule } from 'vitest/node';

const LINES_OF_AN_ERROR = 8;
const MAX_LINE = 220;

/**
 * Says at the very end of a run, where the last lines of a log are, which journeys failed and which only passed when tried again
 * (these are not failures, and not in order either), each with what it waited for and what was shown instead.
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
