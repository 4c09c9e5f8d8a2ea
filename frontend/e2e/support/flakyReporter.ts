import type { Reporter, TestModule } from 'vitest/node';

/** Names, at the end of a run, the journeys that only passed when tried again: they are not failures, and not in order either. */
export class FlakyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap((module) => [...module.children.allTests('passed')].filter((test) => test.diagnostic()?.flaky === true));
    if (flaky.length === 0) return;
    const lines = flaky.map((test) => `  ${test.module.relativeModuleId}: ${test.fullName}\n    ${test.result().errors?.[0]?.message.split('\n')[0] ?? ''}`);
    process.stdout.write(`\nJourneys that passed only when tried again:\n${lines.join('\n')}\n\n`);
  }
}
