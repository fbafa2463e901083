"""The figures that the papers give, as data. What is read off is told where it stands; plots without numbers are not here."""

# Ball & Larus 1996, "Efficient path profiling", table 1: benchmark, path overhead %, edge overhead %, path increments (million),
# edge increments per path increment, hashed increments %, instructions between increments.
BALL_LARUS_1 = [
    ("099.go", 53.4, 24.1, 1002.4, 1.5, 27.7, 33.2),
    ("124.m88ksim", 35.6, 18.7, 4824.9, 1.2, 3.9, 16.2),
    ("126.gcc", 96.9, 52.8, 9.4, 1.7, 16.8, 15.1),
    ("129.compress", 19.4, 21.9, 3015.7, 1.5, 0.0, 16.6),
    ("130.li", 25.4, 26.7, 3282.4, 1.4, 1.2, 16.8),
    ("132.ijpeg", 17.4, 16.3, 1164.9, 1.1, 1.2, 31.0),
    ("134.perl", 72.9, 51.5, 1133.0, 1.9, 23.4, 22.2),
    ("147.vortex", 37.7, 34.1, 3576.3, 1.5, 23.7, 20.3),
    ("101.tomcatv", 19.9, 2.8, 574.6, 1.1, 95.8, 93.0),
    ("102.swim", 8.4, 0.6, 163.4, 1.0, 0.2, 162.9),
    ("103.su2cor", 10.1, 5.8, 558.1, 1.2, 21.5, 92.8),
    ("104.hydro2d", 37.7, 5.8, 1690.7, 1.7, 77.8, 43.1),
    ("107.mgrid", 6.3, 3.2, 1035.2, 1.0, 7.7, 133.5),
    ("110.applu", 71.0, 12.0, 2111.4, 1.1, 99.1, 44.8),
    ("125.turb3d", 5.5, 7.4, 2952.8, 1.1, 0.0, 56.5),
    ("141.apsi", 7.7, 1.8, 599.3, 1.1, 3.5, 84.0),
    ("145.fpppp", 14.6, -2.6, 395.0, 1.8, 42.5, 636.0),
    ("146.wave5", 16.9, 6.1, 737.3, 1.3, 65.0, 74.1),
]

# Table 2: benchmark, paths, longest in edges and instructions, mean in edges and instructions, % named by edges, longest and mean
# of what they name in edges and instructions, routines, most and mean paths of one.
BALL_LARUS_2 = [
    ("099.go", 24414, 105, 314, 10.9, 33.2, 4.3, 84, 252, 5.0, 19.3, 407, 1574, 60.0),
    ("124.m88ksim", 1113, 138, 360, 5.8, 16.2, 29.8, 138, 360, 4.3, 9.1, 220, 70, 5.1),
    ("126.gcc", 9319, 711, 1074, 7.4, 15.1, 20.8, 711, 1074, 4.6, 10.5, 1027, 163, 9.1),
    ("129.compress", 249, 80, 146, 6.5, 16.7, 43.0, 80, 146, 4.6, 8.8, 69, 34, 3.6),
    ("130.li", 770, 153, 252, 9.0, 16.8, 38.1, 62, 109, 7.0, 14.6, 216, 64, 3.6),
    ("132.ijpeg", 1199, 139, 416, 7.0, 31.0, 36.4, 139, 202, 5.1, 22.2, 252, 194, 4.8),
    ("134.perl", 1421, 123, 305, 10.7, 22.2, 24.5, 115, 207, 7.3, 16.7, 233, 125, 6.1),
    ("147.vortex", 2223, 584, 841, 8.9, 20.3, 39.5, 584, 841, 8.5, 13.6, 627, 65, 3.5),
    ("101.tomcatv", 421, 83, 326, 4.1, 93.0, 49.6, 82, 201, 3.9, 25.2, 146, 56, 2.9),
    ("102.swim", 378, 106, 310, 2.3, 162.9, 57.1, 106, 310, 2.2, 57.6, 143, 25, 2.6),
    ("103.su2cor", 905, 136, 954, 6.7, 92.8, 45.9, 73, 781, 5.5, 59.3, 209, 127, 4.3),
    ("104.hydro2d", 1456, 344, 488, 6.5, 43.1, 33.2, 344, 436, 5.8, 36.2, 227, 434, 6.4),
    ("107.mgrid", 589, 83, 320, 2.3, 133.5, 44.8, 78, 320, 2.1, 15.8, 160, 73, 3.7),
    ("110.applu", 619, 240, 3557, 3.7, 44.8, 54.1, 240, 3557, 2.4, 26.6, 144, 82, 4.3),
    ("125.turb3d", 674, 162, 692, 7.1, 56.5, 46.6, 162, 692, 5.1, 28.2, 189, 39, 3.6),
    ("141.apsi", 1064, 712, 1196, 6.1, 84.0, 40.8, 136, 734, 4.6, 69.0, 242, 54, 4.4),
    ("145.fpppp", 821, 85, 11455, 14.9, 636.0, 25.8, 76, 11455, 9.0, 122.6, 143, 322, 5.7),
    ("146.wave5", 896, 90, 1180, 5.2, 74.1, 47.8, 90, 1180, 4.8, 49.5, 212, 69, 4.2),
]

# Table 3: benchmark, paths of ref that train has: number, % of the paths, % of executions; % of instructions along them. (In
# the last row the 5 of the name is printed with the number.)
BALL_LARUS_3 = [
    ("099.go", 13670, 52.8, 99.5, 98.6), ("124.m88ksim", 800, 71.1, 97.1, 93.3), ("126.gcc", 9058, 63.5, 94.6, 88.9),
    ("129.compress", 201, 78.2, 99.2, 98.0), ("130.li", 522, 67.8, 87.4, 87.7), ("132.ijpeg", 1099, 85.3, 99.9, 100.0),
    ("134.perl", 687, 41.8, 71.9, 63.8), ("147.vortex", 2160, 96.0, 100.0, 100.0), ("101.tomcatv", 418, 90.9, 100.0, 100.0),
    ("102.swim", 373, 98.2, 100.0, 100.0), ("103.su2cor", 880, 95.5, 100.0, 100.0), ("104.hydro2d", 1336, 90.1, 100.0, 100.0),
    ("107.mgrid", 577, 97.3, 100.0, 100.0), ("110.applu", 582, 87.5, 100.0, 100.0), ("125.turb3d", 651, 94.5, 100.0, 100.0),
    ("141.apsi", 992, 91.0, 91.2, 74.3), ("145.fpppp", 764, 91.9, 99.9, 99.6), ("146.wave5", 821, 88.5, 98.8, 96.9),
]

# Roy & Srikant 2009, "Profiling k-iteration paths", table 3: time of two and of three iterations over that of acyclic paths.
K_ITERATION_3 = [
    ("compress", 1.14, 3.92), ("crc", 1.12, 1.20), ("edn", 1.56, 1.87), ("fdct", 1.06, 1.10), ("fibcall", 1.09, 1.19),
    ("fir", 1.57, 1.75), ("jfdctint", 1.00, 1.10), ("ludcmp", 1.21, 4.47), ("ndes", 6.12, None),
]

# Table 4: program, function, static paths for k = 1 to 5; None above 60,000, where their profiler gives up.
K_ITERATION_4 = [
    ("compress", "compress", 713, 5887, 44063, None, None), ("compress", "cl_hash", 10, 16, 24, 34, 46),
    ("compress", "writebytes", 27, 84, 255, 768, 2307), ("compress", "output", 416, 1328, 4064, 12272, 36896),
    ("ndes", "des", 568, 5318, 35800, None, None), ("ndes", "ks", 276, 466, 710, 1008, 1360),
    ("ndes", "cyfun", 429, 14294, None, None, None),
]
K_ITERATION_HASHED_ABOVE = 6000
K_ITERATION_GIVES_UP_ABOVE = 60000

# Vaswani, Nori & Chilimbi 2007, "Preferential path profiling", section 5 (the bars of figure 15 and the points of figure 16 are
# only drawn): mean and highest overhead in percent, of Ball-Larus and of preferential profiles.
PREFERENTIAL_15 = {"Ball-Larus": (50, 132), "preferential": (15, 26)}
