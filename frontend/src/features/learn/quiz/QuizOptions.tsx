import { type ReactNode, type Ref, useId, useState } from 'react';
import { haptic } from '@/shared/platform/haptics';
import { CheckIcon, CloseIcon } from '@/shared/ui/icons';
import { TermSheetEntry } from '@/features/learn/glossary/TermSheetEntry';
import { drawInline } from '@/features/learn/text/Blocks';
import { parseInline, plainText } from '@/features/learn/text/markdown';
import { quizCopy } from './copy';
import styles from './QuizOptions.module.css';

interface OptionResult {
  answer: readonly string[];
  descriptions: Readonly<Record<string, string>>;
}

interface QuizOptionsProps {
  question: string;
  options: Readonly<Record<string, string>>;
  /** How many may be chosen; with one the options are radio buttons. */
  count: number;
  chosen: readonly string[];
  onChange?: (chosen: string[]) => void;
  /** After the answer: what was right, and why the others tempt. */
  result?: OptionResult | null;
  /** No further choice, with a result or while the answer waits for the connection. */
  isLocked?: boolean;
  /** Two short options side by side. */
  isPair?: boolean;
  /** The question as the screen's heading. */
  heading?: Ref<HTMLHeadingElement> | undefined;
  /** A figure that the question is about. */
  children?: ReactNode;
}

/** A question and its options as large rows; more than `count` cannot be chosen. */
export function QuizOptions({ question, options, count, chosen, onChange, result = null, isLocked = false, isPair = false, heading, children }: QuizOptionsProps) {
  const name = useId();
  const [word, setWord] = useState<string | null>(null);
  const text = drawInline(parseInline(question), setWord);
  const toggle = (key: string) => {
    haptic('selection');
    if (count === 1) onChange?.([key]);
    else if (chosen.includes(key)) onChange?.(chosen.filter((other) => other !== key));
    else if (chosen.length < count) onChange?.([...chosen, key]);
  };
  return (
    <>
      <fieldset className={styles.fieldset}>
        <legend className={styles.question}>
          {heading === undefined ? (
            text
          ) : (
            <h1 ref={heading} tabIndex={-1} className={styles.heading}>
              {text}
            </h1>
          )}
        </legend>
        {children && <div className={styles.figure}>{children}</div>}
        {count > 1 && (
          <p className={styles.count} role="status">
            {chosen.length === 0 ? quizCopy.chooseCount(count) : quizCopy.chosenCount(chosen.length, count)}
          </p>
        )}
        <div className={`${styles.options} ${isPair && !isLocked ? styles.pair : ''}`}>
          {Object.entries(options).map(([key, option]) =>
            isLocked ? (
              <LockedOption key={key} text={option} isChosen={chosen.includes(key)} isRight={result?.answer.includes(key) ?? null} why={result?.descriptions[key]} onTerm={setWord} />
            ) : (
              <label key={key} className={`${styles.option} ${chosen.includes(key) ? styles.chosen : ''}`}>
                <input
                  type={count === 1 ? 'radio' : 'checkbox'}
                  name={name}
                  className={styles.input}
                  aria-label={plainText(option)}
                  checked={chosen.includes(key)}
                  onChange={() => toggle(key)}
                />
                <span className={styles.text}>{plainText(option)}</span>
                <span className={styles.tick} aria-hidden="true">
                  {chosen.includes(key) && <CheckIcon size={16} />}
                </span>
              </label>
            ),
          )}
        </div>
      </fieldset>
      <TermSheetEntry word={word} onClose={() => setWord(null)} />
    </>
  );
}

interface LockedOptionProps {
  text: string;
  isChosen: boolean;
  /** Null while the answer is not graded. */
  isRight: boolean | null;
  why: string | undefined;
  onTerm: (word: string) => void;
}

/** An option after the answer: a word and an icon say what it was, besides the colour. */
function LockedOption({ text, isChosen, isRight, why, onTerm }: LockedOptionProps) {
  const look = isRight ? styles.right : isChosen ? (isRight === null ? styles.chosen : styles.wrong) : '';
  return (
    <div className={`${styles.locked} ${look}`}>
      <p className={styles.box}>
        <span className={styles.text}>{drawInline(parseInline(text), onTerm)}</span>
        {isRight && (
          <span className={styles.mark}>
            <CheckIcon size={20} />
            {quizCopy.right}
          </span>
        )}
        {isChosen && !isRight && (
          <span className={styles.mark}>
            {isRight === false && <CloseIcon size={18} />}
            {quizCopy.wrong}
          </span>
        )}
      </p>
      {why && <p className={styles.why}>{drawInline(parseInline(why), onTerm)}</p>}
    </div>
  );
}
