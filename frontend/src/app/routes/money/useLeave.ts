import { useLocation, useNavigate } from 'react-router';

/** Goes back to where this screen was opened from; to `otherwise` when it was opened first. */
export function useLeave(otherwise: string): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  return () => {
    if (key === 'default') void navigate(otherwise, { replace: true });
    else void navigate(-1);
  };
}
