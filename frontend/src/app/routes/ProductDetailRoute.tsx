import { useParams } from 'react-router';
import { heartOfProduct } from '@/features/like/Hearts';
import { ProductDetailPage } from '@/features/product/ProductDetailPage';
import { useMemberSid } from '@/shared/api/session';
import { useBasicCash } from './money/useBasicCash';
import { ProductActions } from './ProductActions';

export default function ProductDetailRoute() {
  const { sid: text = '' } = useParams();
  const sid = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : null;
  return (
    <ProductDetailPage
      key={text}
      sid={sid}
      availableWon={useBasicCash(useMemberSid())}
      heartOf={heartOfProduct}
      actionOf={(terms) => sid !== null && <ProductActions productSid={sid} terms={terms} />}
    />
  );
}
