import { useState } from 'react';
import { photosCopy } from '@/features/community/copy.photos';
import { Button } from '@/shared/ui/Button';
import { TextField } from '@/shared/ui/TextField';
import styles from './PhotoField.module.css';

interface AltFieldProps {
  place: number;
  value: string;
  onDone: (alt: string) => void;
  onSkip: () => void;
}

const LONGEST = 200;

/** Asks once what a photo shows. */
export function AltField({ place, value, onDone, onSkip }: AltFieldProps) {
  const [alt, setAlt] = useState(value);
  return (
    <div className={styles.alt}>
      <TextField label={photosCopy.describe(place)} helper={photosCopy.describeWhy} value={alt} onChange={(text) => setAlt(text.slice(0, LONGEST))} />
      <div className={styles.altActions}>
        <Button tone="text" onClick={onSkip}>
          {photosCopy.skip}
        </Button>
        <Button tone="tint" onClick={() => onDone(alt.trim())}>
          {photosCopy.done}
        </Button>
      </div>
    </div>
  );
}
