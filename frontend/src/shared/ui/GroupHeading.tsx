import styles from './GroupHeading.module.css';

interface GroupHeadingProps {
  /** A `span` where it only repeats a heading. */
  as: 'h2' | 'h3' | 'span';
  id?: string;
  title: string | undefined;
}

/** The band above a group of rows, such as those of a day. */
export function GroupHeading({ as: Heading, id, title }: GroupHeadingProps) {
  return (
    <Heading id={id} className={styles.heading}>
      {title}
    </Heading>
  );
}
