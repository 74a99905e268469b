/** A QR code as SVG: black on white in any theme, sharp at any size and in print. */
export function QrCode({
  qr: { size, path },
  label,
  className = "",
}: {
  qr: { size: number; path: string };
  label: string;
  className?: string;
}) {
  return (
    <svg
      className={`qr-code ${className}`.trim()}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
