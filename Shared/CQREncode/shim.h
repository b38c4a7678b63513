/* libqrencode, which makes QR codes (ISO/IEC 18004). */
#include <qrencode.h>
