import { useId } from 'react';
import { settingsCopy } from '@/features/notification/copy.settings';
import type { Channels } from '@/features/notification/notificationTypes';
import { SwitchControl } from '@/shared/ui/Switch';
import styles from './Settings.module.css';

interface ChannelGroupProps {
  title: string;
  types: readonly Channels[];
  isDisabled: boolean;
  describedBy: string | undefined;
  onChange: (channels: Channels) => void;
}

const CHANNELS = ['inbox', 'push'] as const;

/** Types of one kind, each with a switch for the inbox and one for pushes. */
export function ChannelGroup({ title, types, isDisabled, describedBy, onChange }: ChannelGroupProps) {
  const id = useId();
  return (
    <section className={styles.group}>
      <div className={styles.head}>
        <h2 className={styles.title}>{title}</h2>
        {CHANNELS.map((channel) => (
          <span key={channel} id={`${id}-${channel}`} className={styles.column}>
            {settingsCopy[channel]}
          </span>
        ))}
      </div>
      {types.map((channels) => (
        <div key={channels.type} role="group" aria-labelledby={`${id}-${channels.type}`} className={styles.row}>
          <span id={`${id}-${channels.type}`} className={styles.name}>
            {settingsCopy.type[channels.type]}
          </span>
          {CHANNELS.map((channel) => (
            <SwitchControl
              key={channel}
              labelledBy={`${id}-${channels.type} ${id}-${channel}`}
              isOn={channels[channel]}
              isDisabled={isDisabled}
              describedBy={describedBy}
              onChange={(isOn) => onChange({ ...channels, [channel]: isOn })}
            />
          ))}
        </div>
      ))}
    </section>
  );
}
