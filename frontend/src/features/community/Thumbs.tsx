import styles from './Community.module.css';
import { postCopy } from './copy';

/** The pictures of a text in a row that scrolls sideways. */
export function Thumbs({ contentImg, nickname }: { contentImg: string; nickname: string }) {
  const urls = contentImg.split(',').filter((url) => url !== '');
  if (urls.length === 0) return null;
  return (
    <ul className={styles.thumbs}>
      {urls.map((url, index) => (
        <li key={url}>
          <img src={url} alt={postCopy.photo(nickname, index + 1)} width={223} height={223} loading="lazy" className={styles.thumb} />
        </li>
      ))}
    </ul>
  );
}
