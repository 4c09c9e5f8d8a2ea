import type { Item, Product } from '@/shared/api/types';
import { HeartButton } from '@/shared/ui/HeartButton';
import { itemTarget, type LikeTarget, productTarget } from './likeTarget';
import { useLike } from './useLike';

/** The heart of an instrument, used as the control of a row. */
export function ItemHeart({ item }: { item: Item }) {
  return <Heart target={itemTarget(item)} loaded={item.like} />;
}

function ProductHeart({ product }: { product: Product }) {
  return <Heart target={productTarget(product)} loaded={product.like} />;
}

/** As a function, for lists that render a control per row. */
export function heartOf(item: Item) {
  return <ItemHeart item={item} />;
}

export function heartOfProduct(product: Product) {
  return <ProductHeart product={product} />;
}

function Heart({ target, loaded }: { target: LikeTarget; loaded: boolean }) {
  const { isLiked, toggle } = useLike(target, loaded);
  return <HeartButton name={target.name} isLiked={isLiked} {...(toggle && { onToggle: toggle })} />;
}
