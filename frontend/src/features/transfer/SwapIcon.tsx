export function SwapIcon() {
  return (
    <svg className="icon" width={22} height={22} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M8 19V5m0 0L4.5 8.5M8 5l3.5 3.5M16 5v14m0 0 3.5-3.5M16 19l-3.5-3.5" />
    </svg>
  );
}
