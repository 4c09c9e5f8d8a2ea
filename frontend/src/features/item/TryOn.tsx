import { useState } from 'react';
import type { Member, ShopItem } from '@/shared/api/types';
import { won } from '@/shared/format/won';
import { Amount } from '@/shared/ui/Amount';
import { Avatar } from '@/shared/ui/Avatar';
import { Button } from '@/shared/ui/Button';
import { Framed, NamePlate } from '@/shared/ui/Worn';
import { itemCopy, previewCopy } from './copy';
import { type Slot, wornIn } from './itemApi';
import styles from './Items.module.css';

const AVATAR_PX = 64;

interface TryOnProps {
  item: ShopItem & { slot: Slot };
  member: Member | null;
  totalWon: number | null;
}

/** How an item that is worn looks on the member, beside what the member wears already. */
export function TryOn({ item, member, totalWon }: TryOnProps) {
  const [isTrying, setTrying] = useState(false);
  const isWorn = wornIn(member, item.slot) === item.image;
  const isTried = isTrying || isWorn;
  return (
    <section className={styles.section} aria-label={itemCopy.preview}>
      <div className={styles.stage} data-worn={isTried || undefined}>
        {item.slot === 'THEME' ? <ThemeSample theme={isTried ? item.image : null} totalWon={totalWon} /> : <ProfileSample item={isTried ? item : null} member={member} />}
      </div>
      <p role="status" className={styles.stageNote}>
        {isTried ? itemCopy.preview : item.slot === 'THEME' ? itemCopy.previewTheme : itemCopy.previewBefore}
      </p>
      {!isWorn && (
        <Button tone="neutral" block onClick={() => setTrying(!isTrying)}>
          {isTrying ? itemCopy.takeOff : itemCopy.tryOn}
        </Button>
      )}
    </section>
  );
}

function ProfileSample({ item, member }: { item: ShopItem | null; member: Member | null }) {
  const name = member?.nickname ?? previewCopy.me;
  return (
    <div className={styles.profile}>
      <Framed image={item?.slot === 'FRAME' ? item.image : member?.frame}>
        <Avatar name={name} size={AVATAR_PX} />
      </Framed>
      <span className={styles.nickname}>{name}</span>
      <NamePlate image={item?.slot === 'PLATE' ? item.image : member?.plate} />
    </div>
  );
}

/** A card of the app in the colours of `theme`, or in those of now. */
function ThemeSample({ theme, totalWon }: { theme: string | null; totalWon: number | null }) {
  return (
    <div className={styles.sample} data-accent={theme ?? undefined} aria-hidden="true">
      <p className={styles.sampleLabel}>{previewCopy.total}</p>
      <p className={styles.sampleSum}>
        <Amount>{won(totalWon)}</Amount>
      </p>
      <p className={styles.sampleLink}>{previewCopy.link}</p>
      <p className={styles.sampleButton}>{previewCopy.button}</p>
    </div>
  );
}
