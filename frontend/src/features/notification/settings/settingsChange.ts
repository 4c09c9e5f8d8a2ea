import type { NotificationSettings, SettingsChange } from '@/features/notification/notificationTypes';

/** The settings after a change; types it does not name stay. */
export function applyChange(settings: NotificationSettings, { types = [], ...rest }: SettingsChange): NotificationSettings {
  const changed = new Map(types.map((channels) => [channels.type, channels]));
  return { ...settings, ...rest, types: settings.types.map((channels) => changed.get(channels.type) ?? channels) };
}

/** The change that takes another one back. */
export function undoOf(before: NotificationSettings, { types, quiet, digest }: SettingsChange): SettingsChange {
  return {
    ...(types && { types: before.types.filter(({ type }) => types.some((changed) => changed.type === type)) }),
    ...(quiet && { quiet: before.quiet }),
    ...(digest !== undefined && { digest: before.digest }),
  };
}
