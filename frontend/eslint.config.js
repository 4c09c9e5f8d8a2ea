// One-way imports (shared → features → app), accessible markup, and the house rules a reviewer would otherwise repeat.
import { existsSync, readdirSync } from 'node:fs';
import js from '@eslint/js';
import jsxA11y from 'eslint-plugin-jsx-a11y';
import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const FEATURES = existsSync('src/features') ? readdirSync('src/features') : [];

const restrictImports = (files, patterns) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          { group: ['../../*', '../*/../*'], message: 'Write @/… when leaving the folder.' },
          ...patterns,
        ],
      },
    ],
  },
});

const KOREAN = '[가-힣]';
const COPY_MESSAGE = 'Korean copy lives in copy.ts / copy.*.ts, where it is linted and its glyphs are collected, and in shared/format.';
const HOUSE_SYNTAX = [
  {
    selector: "JSXAttribute[name.name='type'] > Literal[value='number']",
    message: 'Use inputMode="decimal" on a text input: number inputs react to the wheel and refuse commas.',
  },
  {
    selector: 'CallExpression[callee.name=/^use[A-Z]\\w*Store$/][arguments.length=0]',
    message: 'Select from the store, or every change re-renders this component.',
  },
];

export default tseslint.config(
  { ignores: ['dist', 'generated', 'node_modules', 'tools', 'src/shared/api/schema.ts'] },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked.map((config) => ({ ...config, files: ['**/*.ts', '**/*.tsx'] })),
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      eqeqeq: 'error',
      'no-console': 'error',
      'max-lines': ['error', 450],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    languageOptions: { globals: globals.browser },
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error', 'react-hooks/exhaustive-deps': 'error' },
  },
  {
    files: ['src/**/*.tsx'],
    ...jsxA11y.flatConfigs.strict,
    rules: {
      ...jsxA11y.flatConfigs.strict.rules,
      'jsx-a11y/control-has-associated-label': ['error', { ignoreElements: ['td', 'th', 'li', 'tr', 'output'] }],
      'jsx-a11y/no-redundant-roles': ['error', { ul: ['list'], ol: ['list'] }],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    ignores: ['**/copy.ts', '**/copy.*.ts', '**/*.test.ts', '**/*.test.tsx', 'src/testing/**', 'src/shared/format/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...HOUSE_SYNTAX,
        { selector: `Literal[value=/${KOREAN}/]`, message: COPY_MESSAGE },
        { selector: `JSXText[value=/${KOREAN}/]`, message: COPY_MESSAGE },
        { selector: `TemplateElement[value.raw=/${KOREAN}/]`, message: COPY_MESSAGE },
      ],
    },
  },
  restrictImports(['src/shared/**'], [{ group: ['@/features/*', '@/features/**', '@/app/*', '@/app/**'], message: 'shared knows no feature.' }]),
  ...FEATURES.map((feature) =>
    restrictImports(
      [`src/features/${feature}/**`],
      [
        { group: ['@/app/*', '@/app/**'], message: 'Features know nothing of the app.' },
        {
          group: ['@/features/**', `!@/features/${feature}`, `!@/features/${feature}/**`, '../*'],
          message: 'Features never import each other: app/routes composes them.',
        },
      ],
    ),
  ),
  restrictImports(['src/app/**'], []),
  { files: ['public/**/*.js', 'shell/*.js'], languageOptions: { globals: globals.browser } },
  { files: ['*.js', 'scripts/**', 'shell/server.ts', 'e2e/performance/**'], languageOptions: { globals: globals.node }, rules: { 'no-console': 'off' } },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
);
