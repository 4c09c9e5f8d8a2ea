export function CalendarIcon() {
  return (
    <svg className="icon" width={24} height={24} viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 6.5h16v13H4zM4 10.5h16M8 4v4m8-4v4M8 14h2m4 0h2" />
    </svg>
  );
}
