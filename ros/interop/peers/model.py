"""What the peers spawn."""

BOX = """<sdf version="1.9"><model name="parcel"><link name="body">
<inertial><mass>1</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial>
<collision name="c"><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision></link></model></sdf>"""

URDF = """<robot name="post"><link name="base_link"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0"
iyz="0"/></inertial><collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision></link><link name="lid"><inertial><mass value="0.1"/>
<inertia ixx="0.001" iyy="0.001" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="hinge" type="revolute"><parent link="base_link"/>
<child link="lid"/><origin xyz="0 0 0.1"/><axis xyz="0 1 0"/><limit lower="0" upper="1" effort="1" velocity="1"/></joint></robot>"""
